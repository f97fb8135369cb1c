// Reads server-sent events from a fetch response (EventSource can't POST). `for await (const {name, data} of events(response))`: data is parsed from JSON;
// comments and unknown fields are skipped, as the HTML standard says. Ends when the stream ends; leaving the loop closes the connection.

export async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const event = new OpenEvent();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop();
      for (const line of lines) {
        const whole = event.take(line);
        if (whole) yield whole;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

class OpenEvent {
  constructor() {
    this.clear();
  }

  clear() {
    this.name = "message";
    this.data = [];
  }

  take(line) {
    if (line === "") {
      const whole = this.data.length ? { name: this.name, data: JSON.parse(this.data.join("\n")) } : null;
      this.clear();
      return whole;
    }
    const [, field, value] = /^([^:]*):? ?([\s\S]*)$/.exec(line);
    if (field === "event") this.name = value;
    if (field === "data") this.data.push(value);
    return null;
  }
}
