// Starts Swagger UI on the API page; requests that are tried carry the page's CSRF token.
const place = document.getElementById("api-docs");
window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.schema,
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    request.headers["X-CSRFToken"] = document.querySelector('meta[name="csrf-token"]').content;
    return request;
  },
});
