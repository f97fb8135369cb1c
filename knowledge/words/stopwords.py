"""Words that say nothing about what a text is about, in their folded form (lower case, simplified)."""

ENGLISH = frozenset(
    str.split("""
    a about after all also an and any are as at be because been before being both but by can could did do does
    doing done each either else for from had has have having he her here hers him his how i if in into is it its
    itself just let me more most must my no nor not of off on once only or other our ours out over own please same
    shall she should so some such than that the their theirs them then there these they this those through to too
    under until up very was we were what when where which while who whom whose why will with would you your yours
    tell give don didn doesn isn wasn aren weren couldn wouldn shouldn hasn haven hadn
    """)
)

CHINESE = frozenset(
    str.split("""
    的 了 是 在 和 与 及 或 也 都 就 而 且 但 但是 而且 并 并且 以及 又 还 还是 还有 把 被 让 给 对 对于 关于 从 到 向 往 由 由于 于 为 为了 因 因为 所以 如果 虽然 然而 不过 这
    那 这个 那个 这些 那些 这样 那样 这里 那里 其 其中 之 之一 它 它们 他 他们 她 她们 我 我们 你 你们 您 自己 吗 呢 吧 啊 呀 嘛 哦 着 过 地 得 等 等等 个 一个 一些 一种 有 没有 会
    能 能够 可 可以 要 应 应该 将 已 已经 曾 曾经 正在 很 非常 更 最 太 只 只有 才 再 则 若 即 便 使 使得 此 该 各 每 所 者 上 下 中 里 什么 甚么 怎么 怎样 怎么样 如何 哪 哪个
    哪些 哪里 哪儿 哪位 谁 何 何时 何地 为何 为什么 多少 几 几个 请问 请 告诉 是否 是不是 有没有 能否 可否 一下
    """)
)

# A pair of neighbours that holds one of these is a word (目的, 了解) or nothing.
CHINESE_PARTICLES = frozenset("的了吗呢吧啊呀嘛是")
