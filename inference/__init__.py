"""Everything about models: engines, chat and embed ports, metering, embedding spaces."""
