"""Skeletons that several tests read."""

GOOD = """\
title: Pumps
classes:
  Pump:
    labels: {en: Pump, zh: 水泵}
    subject: true
    attributes:
      head: {type: number, unit: 米, keys: [Lift, 扬程]}
      state: {type: enum, options: {new: [brand new, 全新], used: }}
      maker: {type: reference, to: Firm}
    rules:
      patterns: ['P-\\d+']
      columns: [Model]
  Firm:
relations:
  replaces:
    from: Pump
    to: [Pump]
    attributes:
      since: {type: date}
    phrases: ["{source} replaces {target}"]
    inverse_columns: [Successor]
"""

CLASS = "classes:\n  Pump:\n"
RELATION = CLASS + "relations:\n  fits:\n    from: Pump\n    to: Pump\n"
