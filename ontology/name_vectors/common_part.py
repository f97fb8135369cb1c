"""What the vectors of all names of a script have in common is taken away, or a name would be nearer to any other of its script than to its own translation.

It is the mean of everyday words that mean the same in both languages, so that it is the same for every graph and does not move when entities come.
"""

from collections.abc import Sequence

import numpy as np

from inference.ports import Embedder
from inference.types import Charge, Vectors
from ontology.resolution.translation import is_han

WORDS = (
    "company 公司|school 学校|hospital 医院|government 政府|factory 工厂|shop 商店|team 团队|manager 经理|engineer 工程师|customer 客户|teacher 教师|doctor 医生|city 城市|country 国家|river 河流|street 街道|"
    "building 建筑|office 办公楼|computer 计算机|software 软件|network 网络|program 程序|file 文件|report 报告|meeting 会议|project 项目|plan 计划|contract 合同|price 价格|money 资金|tax 税收|market 市场|"
    "product 产品|machine 机器|car 汽车|train 火车|ship 船舶|aircraft 飞机|energy 能源|water 水|oil 石油|steel 钢铁|food 食品|medicine 药品|law 法律|rule 规则|method 方法|theory 理论|research 研究|"
    "experiment 实验|test 测试|design 设计|language 语言|book 书籍|history 历史|music 音乐|sport 体育|weather 天气|temperature 温度|pressure 压力|speed 速度|time 时间|year 年份|safety 安全|quality 质量|"
    "error 错误|service 服务|support 支持|training 培训|health 健康|family 家庭|person 人物|model 模型|tool 工具|device 设备|camera 相机|phone 电话|document 文档|message 消息|user 用户"
)
LATIN_WORDS, HAN_WORDS = zip(*(pair.split(" ") for pair in WORDS.split("|")), strict=True)

_common: dict[str, tuple[Vectors, Vectors]] = {}


def common_parts(embedder: Embedder, fingerprint: str, charge: Charge) -> tuple[Vectors, Vectors]:
    """Of the scripts without and with Chinese characters, each of shape (dims,); asked of a model once in a process. Raises EngineUnavailable, EngineRefused."""
    if fingerprint not in _common:
        latin, han = (embedder.embed(words, kind="passage", charge=charge) for words in (LATIN_WORDS, HAN_WORDS))
        _common[fingerprint] = (latin.mean(axis=0), han.mean(axis=0))
    return _common[fingerprint]


def without_common(raw: Vectors, names: Sequence[str], common: tuple[Vectors, Vectors]) -> Vectors:
    """Rows of length one again, of shape (len(names), dims)."""
    sides = np.array([is_han(name) for name in names], dtype=bool)
    rest = raw - np.where(sides[:, None], common[1], common[0])
    lengths = np.linalg.norm(rest, axis=1, keepdims=True)
    found: Vectors = (rest / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return found
