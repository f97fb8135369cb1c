"""Who writes the answer: by quoting, or a model. Both behind `retrieval.ports.Answerer`."""
