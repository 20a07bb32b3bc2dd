"""图嵌入方法的内部、评测与笔记。"""

MESSAGES: dict[str, str] = {
    # 选择视图
    "embed_inside.title": "内部",
    "embed_inside.view": "看什么",
    "embed_inside.view.walk": "游走",
    "embed_inside.view.pairs": "节点对",
    "embed_inside.view.loss": "学的是什么",
    "embed_inside.view.first": "一阶相似性",
    "embed_inside.view.second": "二阶相似性",
    "embed_inside.view.training": "训练的一步",
    "embed_inside.view.orders": "一阶与二阶之别",
    "embed_inside.view.rings": "一圈一圈地比",
    "embed_inside.view.layers": "多层图",
    "embed_inside.view.mirror": "结构相同的节点",
    "embed_inside.view.row": "重建一行",
    "embed_inside.view.forward": "逐层计算",
    "embed_inside.view.terms": "损失的三项",
    "embed_inside.join": "、",
    "embed_inside.agreement": "换一种方法重算：{again}，原来是 {stored}，相差 {apart}。",
    "embed_inside.not_yet": "这里需要训练好的向量，上面训练完就会出现。",
    "embed_inside.too_large.nodes": (
        "这个视图要当场算出来，图太大了：最多 {limit} 个节点。想看内部，请换一张小一些的图。"
    ),
    "embed_inside.too_large.edges": (
        "许多次游走都去了哪里、各个邻居被走到的次数对不对，只在不超过 {limit} 条边的图上当场计算：这张图会让你等太久。"
    ),
    # 一次游走
    "embed_inside.walk.about.deepwalk": (
        "DeepWalk 从不通览全图。它只是散步：从一个节点随机走到一个邻居，如此反复，再把走过的节点当成句子来读。点击"
        "一个节点作为起点，然后一步步往前走。"
    ),
    "embed_inside.walk.about.node2vec": (
        "node2vec 记得上一步。从 *t* 走到 *v* 之后，它给每个下一步 *x* 加权：退回 *t* 乘 1/p，*t* 也认识的节点乘 1"
        "，离 *t* 更远的节点乘 1/q。改一改 p 和 q，看同一步怎样作出不同的选择。"
    ),
    "embed_inside.walk.p": "p：回头的代价",
    "embed_inside.walk.p.help": "p 小，游走喜欢掉头；p 大，尽量不回到刚才的节点。",
    "embed_inside.walk.q": "q：走远的代价",
    "embed_inside.walk.q.help": "q 小，很快走远（像深度优先）；q 大，在附近徘徊（像广度优先）。",
    "embed_inside.walk.alone": "**{name}** 没有通向别处的边，游走还没开始就结束了。请点击一个有邻居的节点。",
    "embed_inside.walk.step": "第几步",
    "embed_inside.walk.next": "走一步",
    "embed_inside.walk.another": "换一次游走",
    "embed_inside.walk.alt": (
        "从 {start} 出发的一次游走，{step} 步后到了 {now}；通向各邻居的线越粗，下一步越可能去那里"
    ),
    "embed_inside.walk.hint": (
        "到目前为止的游走，越靠后颜色越深。通向邻居的线越粗，下一步越可能走那里。点击一个节点，就从它出发。"
    ),
    "embed_inside.walk.bars": "{name} 的各个邻居成为下一步的概率",
    "embed_inside.walk.from": "从 **{name}** 出发，下一步去哪里（标出的是实际走的那个）",
    "embed_inside.walk.rest": "另外 {count} 个邻居分享余下的 {share}。",
    "embed_inside.walk.end": "显示到这一步为止。",
    "embed_inside.walk.drawn": (
        "用训练所用的采样器抽了 {draws} 次：频率与概率最多相差 {apart}。χ² = {chi2}，自由度 {freedom}；如果采样无误"
        "，1000 次里有 999 次会低于 {bound}。"
    ),
    "embed_inside.kind.return": "回头",
    "embed_inside.kind.common": "附近",
    "embed_inside.kind.away": "走远",
    # 许多次游走
    "embed_inside.far.title": "许多次游走都去了哪里",
    "embed_inside.far.about.deepwalk": (
        "从 **{name}** 出发 {many} 次，每次走 {long} 个节点。节点越橙，经过的次数越多。"
    ),
    "embed_inside.far.about.node2vec": (
        "用你选的 p 和 q，从 **{name}** 出发 {many} 次，每次走 {long} 个节点。节点越橙，经过的次数越多；右图是离起"
        "点的平均距离，旁边是一个留在附近的（q = 4）和一个走远的（q = 0.25）。"
    ),
    "embed_inside.far.alt": "整张图，节点越橙，从 {name} 出发的游走经过它的次数越多",
    "embed_inside.far.hint": "颜色按次数的对数。把鼠标移到节点上可以看到所占比例。",
    "embed_inside.far.walks": "这些游走",
    "embed_inside.far.chart": "每一步之后离起点的平均距离",
    "embed_inside.far.y": "相隔几条边",
    "embed_inside.far.numbers": (
        "{back}% 的步子直接退回原处；一次 {long} 个节点的游走平均遇到 {distinct} 个不同的节点。"
    ),
    # 节点对
    "embed_inside.pairs.about": (
        "游走像句子一样来读：相隔不超过窗口的两个节点组成一对，skip-gram 学习由一个预测另一个。点击游走中的一个节点"
        "，把窗口移过去。"
    ),
    "embed_inside.pairs.alt": "一次游走排成一行，窗口围着其中一个节点",
    "embed_inside.pairs.hint": (
        "粗圈是中心，细圈是上下文，最多相隔 {window} 个位置。训练时每个中心会在 1 到 {window} 之间随机取窗口，所以"
        "近处的上下文出现得更多。"
    ),
    "embed_inside.pairs.list": (
        "这个中心有 **{count} 对**：{pairs}。整个游走的 {steps} 个节点一共给出 {all} 对。"
    ),
    "embed_inside.contexts.title": "{name} 常和谁一起出现",
    "embed_inside.contexts.alt": "各节点作为 {name} 的上下文出现的比例",
    "embed_inside.contexts.exact": (
        "左边是在新抽的游走里数出来的比例（共 {pairs} 对），右边是按公式算出的精确期望（含随机缩小的窗口），最多相"
        "差 {apart}。这张表就是这个方法能学到的全部。"
    ),
    "embed_inside.contexts.counted": (
        "用当前的 p 和 q 新抽游走，在 {pairs} 对里数出来的比例。这张表就是这个方法能学到的全部。"
    ),
    # hierarchical softmax
    "embed_inside.softmax.about": (
        "要在所有节点中预测上下文，普通的 softmax 每次都得对全部节点求和。hierarchical softmax 把节点挂在一棵 "
        "Huffman 树上，常见的挂得高：一个上下文就是一条向下的路，每个岔口只是一道有概率的是非题。"
    ),
    "embed_inside.softmax.alt": "Huffman 树中通向 {name} 的路，标出每个岔口的概率",
    "embed_inside.softmax.bars": "{name} 最可能的上下文",
    "embed_inside.softmax.contexts": "按训练好的向量，**{name}** 的上下文（点击一个，把它算出来）",
    "embed_inside.softmax.beyond": "{count} 个节点，{share}%",
    "embed_inside.softmax.table": "逐个岔口列出",
    "embed_inside.softmax.inner": "内部节点",
    "embed_inside.softmax.bit": "走向",
    "embed_inside.softmax.product": "累计乘积",
    "embed_inside.softmax.says": (
        "全部 {nodes} 个叶子的概率之和是 **{total}**。这一个走了 {turns} 个岔口；按游走中出现的频率平均是 "
        "**{mean}** 个，而任何树都不可能低于熵：{entropy} 比特。"
    ),
    # 负采样
    "embed_inside.negatives.about": (
        "这里的问题小得多：这是真的一对，还是第二个节点是随便抽来的？真的上下文拉近一些，抽来的几个节点推远一些。"
    ),
    "embed_inside.negatives.again": "另抽一批负样本",
    "embed_inside.lesson.node": "节点",
    "embed_inside.lesson.loss": "损失",
    "embed_inside.lesson.says": (
        "合计 **{loss}**。y − σ 一列就是拉力：正数把 **{name}** 与这个向量拉近，负数推远，接近零说明已经没什么可学"
        "了。"
    ),
    "embed_inside.lesson.slope": "梯度长度的平方，与把向量前后各挪一小步测得的斜率相比：",
    # alias 表
    "embed_inside.alias.title": "一次抽样只需常数时间",
    "embed_inside.alias.noise.walks": (
        "负样本按节点在游走中出现次数的 ¾ 次方来抽：少见的节点分到的比它本来的份额多一点。"
    ),
    "embed_inside.alias.noise.line": "负样本按度的 ¾ 次方来抽。边也用同样的办法，按权重来抽。",
    "embed_inside.alias.step": "游走的下一步，用的就是这个节点自己的表。",
    "embed_inside.alias.some": "共 {all} 种结果，这里只画最可能的 {count} 种，就当没有别的。",
    "embed_inside.alias.alt": "alias 表：等高的柱子，每根至多由两种结果分享",
    "embed_inside.alias.throw": "掷一次",
    "embed_inside.alias.thrown": (
        "[0, {n}) 中的一个数 **{place}**，落在“{column}”这一柱、高度 {height}；这一柱在 {accept} 以下归它自己，所以"
        "得到 **{got}**。"
    ),
    "embed_inside.alias.check": (
        "各种颜色的面积加起来正是概率，最多相差 {apart}。掷 {throws} 次：最多差 {off}，χ² = {chi2}，自由度 "
        "{freedom}（99.9% 低于 {bound}）。"
    ),
    "embed_inside.alias.even": (
        "这里各种结果的概率都一样，没有哪一柱需要分享。换一张带权重的图，或者用 node2vec 并改变 p 和 q，就能看到怎"
        "样分享。"
    ),
    # LINE
    "embed_inside.line.stranger": "无边",
    "embed_inside.line.bars": "按向量，各节点与 {name} 的关系",
    "embed_inside.line.alt": "{name} 和它的邻居，线越粗概率越大；圈出的是 {other}",
    "embed_inside.line.hint": "邻居旁边是数值。点击一个节点，就换成问它。",
    "embed_inside.line.worked": "{one} 与 {two}：代入数值",
    "embed_inside.line.no_edge": "这两个节点之间没有边：目标函数里没有这一对。",
    "embed_inside.line.first.about": (
        "一阶相似性：有边相连的两个节点相似。模型用一次点积说出一条边有多可能，训练让它与权重相符。"
    ),
    "embed_inside.line.first.bars": "**{name}** 与各邻居的 p₁，然后是最可能的几个陌生节点",
    "embed_inside.line.first.all": (
        "整张图上：O₁ = **{objective}**。有边的节点对 p₁ 平均为 **{edges}**，没有边的平均为 **{others}**。如果没有"
        "负样本，只要向量无限长、处处 p₁ = 1，O₁ 就心满意足了（E33）。"
    ),
    "embed_inside.line.absent.first": "这次只训练了二阶。想看 p₁，请在上面的设置里选择一阶或两者。",
    "embed_inside.line.absent.second": "这次只训练了一阶，一阶没有上下文向量。请在上面的设置里选择二阶或两者。",
    "embed_inside.line.absent.both": "请在上面的设置里选择“两者”：这样两阶各有自己的向量，才能相比。",
    "embed_inside.line.second.about": (
        "二阶相似性：邻居相同的两个节点相似，彼此有没有边都行。每个节点还有第二个向量 u′，用于它充当别人的邻居（上"
        "下文）的时候。"
    ),
    "embed_inside.line.second.bars": "p₂( · | **{name}**) | 边给出的 w/d。先列邻居，再列最可能的几个陌生节点",
    "embed_inside.line.second.all": (
        "所有 p₂ 之和为 **{total}**；照笔记里的分式，和会是 {notes}（E31）。在 **{name}** 处，边的分布与 p₂ 的 KL "
        "散度是 **{distance}**，在 O₂ 中乘以它的度 {weight}（E32）。负采样训练并不直接以 p₂ 为目标，所以这个 KL 不"
        "会降到零。"
    ),
    "embed_inside.line.second.twin": (
        "与 **{name}** 没有边、向量方向却最接近的是 **{twin}**（余弦 {cosine}）：它们共有 {of} 个邻居中的 {shared} "
        "个。"
    ),
    "embed_inside.line.training.about": (
        "LINE 一次只训练一条边。先按权重抽一条边，再随机抽几个不该与它配对的节点，然后把向量挪动一点点。"
    ),
    "embed_inside.line.training.again": "另抽一条边",
    "embed_inside.line.training.alt": "抽到的边从 {one} 到 {two}，以及负样本",
    "embed_inside.line.training.hint": (
        "+ 是真正的邻居，− 是抽来的 {count} 个负样本（可能重复）。训练时每 {shared} 条边共用一批，省时而不改变期望"
        "。"
    ),
    "embed_inside.line.training.chances": (
        "这条边（**{one}** 到 **{two}**）每次被抽中的概率是 **{edge}**。这样梯度从不乘以权重，权重再大的边也不会让"
        "步子失控。"
    ),
    "embed_inside.orders.about": (
        "两阶看的是同样的边，看到的却不一样。一阶把相连的节点拉到一起，连带着把朋友的朋友也拉过来。二阶比较的是邻居"
        "：“双胞胎”（邻居相同，但没有边）聚到一起，仅有“纽带”（有边，但没有共同邻居）的则被分开。"
    ),
    "embed_inside.orders.sample": "样本“一阶与二阶”就是为了让两者尽可能不同而做的，不妨试试。",
    "embed_inside.orders.first": "一阶",
    "embed_inside.orders.second": "二阶",
    "embed_inside.orders.alt.first": "节点按一阶向量投影到平面，并画出边",
    "embed_inside.orders.alt.second": "节点按二阶向量投影到平面，并画出边",
    "embed_inside.orders.pairs": "节点对",
    "embed_inside.orders.tied": "纽带：有边，无共同邻居（{count} 对）",
    "embed_inside.orders.twins": "双胞胎：一半以上的邻居相同，无边（{count} 对）",
    "embed_inside.orders.all": "所有节点对",
    "embed_inside.orders.reading": "向量余弦的平均值。横线表示图中没有这样的节点对。",
    # Struc2vec
    "embed_inside.too_large.ring": "超过 {limit} 个节点的圈不会当场比对。请换一个节点，或换一张小一些的图。",
    "embed_inside.rings.about": (
        "Struc2vec 不问一个节点认识谁，只问它周围长什么样。每个节点外面有一圈圈节点：相隔一条边的、两条边的，依此类"
        "推。每一圈只看度，从小到大排好。如果两个节点的一圈圈度序列都能毫无损失地对上，它们就相似。"
    ),
    "embed_inside.rings.k": "第 k 圈",
    "embed_inside.rings.one": "**{name}** 的这一圈",
    "embed_inside.rings.two": "**{name}** 的这一圈",
    "embed_inside.rings.hint": (
        "圈出的节点离所选节点 k 条边，数字是它们的度。在左图或右图点击节点，可以分别更换两个节点。"
    ),
    "embed_inside.rings.degree": "度 {n}",
    "embed_inside.rings.alt": "{name} 和它的第 {k} 圈，共 {count} 个节点，标出了度",
    "embed_inside.rings.table": "第 {k} 圈中各对度的代价，以及最便宜的走法",
    "embed_inside.rings.warp": (
        "动态时间规整（DTW）：纵向是 **{one}** 那一圈的度，横向是 **{two}** 那一圈的度。3×4 表示度为 3 的有四个。描"
        "边的是从一角到另一角最便宜的走法，各格之和就是这一圈的代价。"
    ),
    "embed_inside.rings.sizes": "两圈的节点数",
    "embed_inside.rings.both": "最后的 f：这里一圈圈加出来的，与训练时对所有节点对一起算出来的相比：",
    "embed_inside.layers.about": (
        "由这些距离得到一张多层的图。在第 k 层，任意两个节点都相连，前 k 圈越相似连得越紧，与它们之间有没有边无关。"
        "游走在一层里停留一会儿，或者换层；skip-gram 读的就是这样的游走。"
    ),
    "embed_inside.layers.k": "第 k 层",
    "embed_inside.layers.alt": "整张图，节点越橙，在第 {k} 层与 {name} 越相似",
    "embed_inside.layers.hint": (
        "橙：相似（w 接近 1）。灰：不相似，或者在这一层没有相连。点击一个节点，换成和它比。"
    ),
    "embed_inside.layers.bars": "在第 {k} 层，从 **{name}** 出发的一步去往",
    "embed_inside.layers.bars.alt": "在第 {k} 层从 {name} 出发一步的概率",
    "embed_inside.layers.moves": (
        "它的边中有 {gamma} 条比这一层的平均权重 {mean} 更重。于是游走在这里有 **{stay}%** 的可能留在本层，**{up}"
        "%** 上一层，**{down}%** 下一层：相像的越多，越值得看得更远。"
    ),
    "embed_inside.layers.only.up": "这是最底层：换层只能往上。",
    "embed_inside.layers.only.down": "这个节点没有更高的层了：换层只能往下。",
    "embed_inside.layers.walk": "一次穿行各层的游走",
    "embed_inside.layers.walk.alt": "从 {name} 出发的一次游走，标出每一步所在的层",
    "embed_inside.layers.walk.axis": "句子里的节点",
    "embed_inside.layers.walk.about": (
        "只有踩到的节点才进入句子，换层不算。这些节点在图中可能天各一方，把它们连在一起的是相似。"
    ),
    "embed_inside.mirror.about": (
        "如果两个节点的每一圈都一样（最后一层 f = 0），在 Struc2vec 看来它们就没有区别，没有理由把它们分开。在杠铃"
        "图里，它们互为镜像。"
    ),
    "embed_inside.mirror.alt": "整张图，周围结构相同的节点颜色相同；有 {count} 种结构不止出现一次",
    "embed_inside.mirror.hint": (
        "同一种颜色表示同一种周围结构，灰色的节点独一无二。点击一个节点，圈出与它结构相同的节点。"
    ),
    "embed_inside.mirror.word": "这种结构有 {n} 个",
    "embed_inside.mirror.has": "直到第 {layers} 圈，**{name}** 有 {count} 个结构相同的节点：{others}。",
    "embed_inside.mirror.none": "**{name}** 独一无二：直到第 {layers} 圈，没有别的节点和它一样。",
    "embed_inside.mirror.pairs": "节点对",
    "embed_inside.mirror.cosine": "学到的向量的平均余弦",
    "embed_inside.mirror.same": "结构相同的节点",
    "embed_inside.mirror.joined": "图中的邻居",
    "embed_inside.mirror.everyone": "所有节点对",
    "embed_inside.mirror.reading": "DeepWalk 正好相反，先考虑邻居。可以在上面把两者对比一下。",
    # SDNE
    "embed_inside.row.about": (
        "SDNE 是一个自编码器。输入是节点在邻接矩阵中的一行，几乎全是 0，只有几个 1；中间是一段很短的编码；输出是对"
        "这一行的猜测。一行里大多是 0，一个总答 0 的网络也错不了多少，所以漏掉一条边的代价要乘以 β。"
    ),
    "embed_inside.row.alt": "整张图，节点越橙，网络越相信它是 {name} 的邻居",
    "embed_inside.row.graph": "橙：网络认为有边。圈出：真的有边。点击一个节点，重建它的那一行。",
    "embed_inside.row.cells": "{name} 的一行：真值、重建、每处误差的权重和代价",
    "embed_inside.row.some": "共 {all} 列，这里画出 {count} 列：邻居，以及代价最大的几处。",
    "embed_inside.row.hint": "点击一列，把它的数算一遍。",
    "embed_inside.forward.about": (
        "同一行如何穿过网络。每一层乘以权重、加上偏置，再压进 (0, 1)。最窄的地方就是嵌入。"
    ),
    "embed_inside.forward.encoder.0": "隐藏层（{n}）",
    "embed_inside.forward.encoder.1": "编码 y（{n}）",
    "embed_inside.forward.decoder.0": "隐藏层（{n}）",
    "embed_inside.forward.decoder.1": "x̂（{n}）",
    "embed_inside.forward.alt": "{name} 的一行穿过网络各层，画成一排排小格",
    "embed_inside.forward.code": (
        "编码就是嵌入里的那 {n} 个数。相差最大的是第 {k} 个：由权重算出的，与保存的相比："
    ),
    "embed_inside.forward.twins": (
        "**{others}** 与 **{name}** 的邻居完全相同，于是行相同，编码也相同（相差 {apart}），无论权重是多少：这就是"
        "二阶相似性，不费吹灰之力。"
    ),
    "embed_inside.forward.none": (
        "没有别的节点与 **{name}** 的行完全相同。如果有，不论权重是多少，两者的编码都一样。"
    ),
    "embed_inside.terms.about": (
        "三个愿望一起实现：重建每一行（二阶），让相连的节点靠近（一阶，乘 α），让权重小一些（乘 ν）。"
    ),
    "embed_inside.terms.alt": "损失的三项",
    "embed_inside.terms.second": "重建各行",
    "embed_inside.terms.first": "α · 邻居靠近",
    "embed_inside.terms.regular": "ν · 权重要小",
    "embed_inside.terms.pull": "拉得最紧的边，$s_{{ij}}\\,\\|y_i-y_j\\|^2$",
    "embed_inside.terms.pull.alt": "按权重计，两端编码相距最远的边",
    "embed_inside.terms.twice": "α 乘以所有边从两端各计一次之和，与训练所用的拉普拉斯形式相比：",
    "embed_inside.terms.beta": (
        "β = {beta} 时，有边的地方网络平均给出 **{edges}**，没有边的地方平均 **{others}**。所有格子里只有 {share}% "
        "是边；如果 β = 1，就是 0 说了算。"
    ),
    # 评测
    "embed_inside.evaluate.title": "评测",
    "embed_inside.evaluate.about": (
        "图画得漂亮说明不了什么。在这里，方法要在没见过的东西上拿分，用不同的种子重复多次，并且和完全不需要嵌入的简"
        "单办法摆在一起比。"
    ),
    "embed_inside.evaluate.task": "问题",
    "embed_inside.evaluate.task.links": "找出藏起来的边",
    "embed_inside.evaluate.task.labels": "找出藏起来的标签",
    "embed_inside.evaluate.who": "方法",
    "embed_inside.evaluate.who.one": "{one}（按上面的设置）",
    "embed_inside.evaluate.who.all": "五种都评",
    "embed_inside.evaluate.share.links": "藏起来的边",
    "embed_inside.evaluate.share.labels": "用来学习的标签",
    "embed_inside.evaluate.seeds": "种子数",
    "embed_inside.evaluate.start": "开始评测",
    "embed_inside.evaluate.note.links": (
        "共训练 {runs} 次。每次藏起 {share}% 的边，只用其余的边训练，再看向量能不能把藏起来的边排在同样多的、本来"
        "就没有边的节点对前面。"
    ),
    "embed_inside.evaluate.note.labels": (
        "共训练 {runs} 次。每次用 {share}% 节点的标签训练逻辑回归，由向量预测其余节点的标签。"
    ),
    "embed_inside.evaluate.step": "{method}，已完成 {percent}%",
    "embed_inside.evaluate.no_labels": "这张图没有标签，也就无从找起。请换一张有标签的图，或者改为找边。",
    "embed_inside.evaluate.few_labels": "找标签至少需要两种标签，每种至少两个节点：一个用来学，一个用来考。",
    "embed_inside.evaluate.no_edges": (
        "这张图没有可以公平地藏起来的边：要么每条边都不可少，少了图就断开，要么任意两个节点之间都已有边。请换一张有"
        "环的图，或者改为找标签。"
    ),
    "embed_inside.evaluate.score": "指标",
    "embed_inside.evaluate.score.auc": "AUC",
    "embed_inside.evaluate.score.average_precision": "平均精度 AP",
    "embed_inside.evaluate.average": "指标",
    "embed_inside.evaluate.average.micro": "Micro F1",
    "embed_inside.evaluate.average.macro": "Macro F1",
    "embed_inside.evaluate.way.dot": "点积",
    "embed_inside.evaluate.way.cosine": "余弦",
    "embed_inside.evaluate.way.hadamard": "回归",
    "embed_inside.evaluate.baseline.common_neighbours": "共同邻居数",
    "embed_inside.evaluate.baseline.random": "随机",
    "embed_inside.evaluate.baseline.majority": "总答最大的一类",
    "embed_inside.evaluate.alt": "各方法在每个种子下的 {score}，以及均值和标准差",
    "embed_inside.evaluate.hidden": (
        "每个种子藏起 {hidden} 条边（按比例应为 {asked} 条），另取同样多没有边的节点对。回归：对两个向量逐元素的乘"
        "积做逻辑回归。圆点是各个种子，色条是均值 ± 标准差。"
    ),
    "embed_inside.evaluate.forest": (
        "藏起来的边比要求的少：维系全图连通的边必须留下，好让每个节点都有东西可学。"
    ),
    "embed_inside.evaluate.nodes": (
        "{known} 个节点用来学，{asked} 个用来考。每个节点只有一个标签，所以 Micro F1 就是答对的比例。圆点是各个种子"
        "，色条是均值 ± 标准差。"
    ),
    "embed_inside.evaluate.table": "看表格",
    "embed_inside.evaluate.mean": "均值",
    "embed_inside.evaluate.sd": "标准差",
    "embed_inside.evaluate.seed": "种子 {n}",
    # 笔记
    "embed_inside.notes.title": "笔记与论文",
    "embed_inside.notes.about": (
        "学习笔记“Graph embedding”一节说了什么，与论文有何出入，以及我们算出的数。这些数就在你看的时候由训练所用的"
        "代码算出，每一条都有测试守着。"
    ),
    "embed_inside.note.E30": (
        "LINE 一阶。笔记写的是 $p_1=1/(1+\\exp(-u^T u_j))$：一个向量丢了下标，也没说 W 是什么。应为 "
        "$p_1(v_i,v_j)=1/(1+\\exp(-u_i^T u_j))$，W 是所有权重之和，而且只适用于无向图。"
    ),
    "embed_inside.note.E30.number": (
        "$u_i=(1,0)$，$u_j=(1,1)$：p₁ = **{p:.6f}**，反过来算也是 {back:.6f}。加权的空手道俱乐部图有 {edges:.0f} 条"
        "边，W = {total:.0f}。"
    ),
    "embed_inside.note.E31": (
        "LINE 二阶。笔记把 $p_2$ 写成了 $p_1$，刚刚介绍过的上下文向量 $u'$ 没有用上，分母里多了负号，下标也没有随求"
        "和变化。应为 $p_2(v_j\\mid v_i)=\\exp(u_j'^T u_i)/\\sum_k\\exp(u_k'^T u_i)$。"
    ),
    "embed_inside.note.E31.number": (
        "$u=(1,0)$，上下文为 (½, 0)、(0, −1)、(2, 0)：p₂ = {a:.5f}、{b:.5f}、{c:.5f}，和为 **{total:.6f}**。照笔记"
        "带上负号，和会是 {printed:.4f}。"
    ),
    "embed_inside.note.E32": (
        "LINE 的目标函数。$O_2$ 的括号写乱了，最后一行误写成 $O_1$，$\\lambda_i$ 也没有解释。取 $\\lambda_i=d_i$，"
        "$\\sum_i d_i\\,KL(\\hat p_2(\\cdot|v_i),\\,p_2(\\cdot|v_i))$ 就等于 $-\\sum w_{{ij}}\\log p_2(v_j|v_i)$ 加"
        "一个常数。"
    ),
    "embed_inside.note.E32.number": (
        "三个节点，权重 1、2、3：按度加权的 KL 减去常数是 **{left:.9f}**，−Σ w log p₂ 是 **{right:.9f}**（相差 "
        "{apart:.1e}）。"
    ),
    "embed_inside.note.E33": (
        "LINE 的训练。笔记只写到目标函数，而它照原样没法训练：二阶每条边都要对全部节点求和；一阶只要所有向量都相同"
        "且无限长就是最优。论文按 $d^{{3/4}}$ 抽 K = 5 个负样本，按权重抽边。"
    ),
    "embed_inside.note.E33.number": (
        "空手道俱乐部图，所有向量都取 (1, 1)：O₁ = {short:.3f}；拉长到四倍：**{long:.1e}**，却什么也没学到。抽 "
        "100,000 个负样本，各节点的比例与 $d^{{3/4}}$ 最多相差 {apart:.4f}；最大的是 {largest:.3f}，平均分则是 "
        "{flat:.3f}。"
    ),
    "embed_inside.note.E34": (
        "LINE 两阶的合并。笔记说“直接拼接”，又说度低时效果不好。论文是两阶分开训练，各自归一化到长度 1 再拼接，并给"
        "度低的节点加上通往邻居的邻居的边：$w_{{ij}}=\\sum_k w_{{ik}}w_{{kj}}/d_k$。"
    ),
    "embed_inside.note.E34.number": (
        "归一化后，每一半的长度是 **{half:.6f}**，拼在一起是 **{both:.6f}** = √2；归一化前，长度的标准差为 "
        "{before:.2f}，一半可能盖过另一半。在权重为 3 和 1 的一条路上，两跳边的权重是 3 · 1 / 4 = **{hop:.4f}**。"
    ),
    "embed_inside.note.E35": (
        "SDNE 的重建误差。笔记写成矩阵乘法 $(\\hat X-X)B$。应为逐元素乘积的 Frobenius 范数 $(\\hat X-X)\\odot B$："
        "没有边处 $b_{{ij}}=1$，有边处为 β > 1，也就是漏掉一条边比凭空多出一条更贵。"
    ),
    "embed_inside.note.E35.number": (
        "X = [[0, 1], [1, 0]]，X̂ = [[.2, .6], [.7, .1]]，β = 5：逐元素是 **{right:.2f}**，照笔记的写法是 "
        "{notes:.2f}。"
    ),
    "embed_inside.note.E36": (
        "SDNE 各项的系数。笔记与论文一致：α 乘一阶项，ν 乘权重衰减；而公开的代码把两个名字对调，去掉了衰减，还另加"
        "了一项。我们按论文来。一阶项之和等于 $2\\,tr(Y^T L Y)$，其中 L = D − S 是拉普拉斯矩阵。"
    ),
    "embed_inside.note.E36.number": (
        "六个随机的点：对所有节点对求和是 **{pairs:.6f}**，2 tr(YᵀLY) 是 **{trace:.6f}**（相差 {apart:.1e}）。"
    ),
    # 两种说法
    "embed_inside.claim.start": "试一试",
    "embed_inside.claim.note": "共训练 {runs} 次，每种三个种子。",
    "embed_inside.claim.step": "已完成全部训练的 {percent}%",
    "embed_inside.claim.degree.title": "验证一种说法：度低时 LINE 效果不好",
    "embed_inside.claim.degree.about": (
        "笔记说 LINE 在度低的图上效果不好，在度高的图上好。这里有 {nodes} 个节点，分成若干社区，有的只有一个邻居，"
        "有的有几十个；用回归由向量找出所属社区，按度分开统计。旁边是同一张图上的 DeepWalk：如果邻居少的节点本来就"
        "难，它也会丢分。两跳边是论文给出的补救办法：邻居少于 {hop} 个的节点，与邻居的邻居也连上边。"
    ),
    "embed_inside.claim.degree.line": "LINE，{range}",
    "embed_inside.claim.degree.hop": "LINE + 两跳边，{range}",
    "embed_inside.claim.degree.deepwalk": "DeepWalk，{range}",
    "embed_inside.claim.degree.few": "度 1–3",
    "embed_inside.claim.degree.some": "度 4–7",
    "embed_inside.claim.degree.many": "度 8 以上",
    "embed_inside.claim.roles.title": "验证一种说法：离得近，还是长得像",
    "embed_inside.claim.roles.about": (
        "笔记给了 node2vec 两个目标：同质性（距离相近的节点相似）和结构等价性（结构相似的节点相似），由 p 和 q 来选"
        "。这里把两个目标变成两道题：在随机块模型里找社区，在杠铃图里找位置。杠铃图中，每个节点唯一的同类就是另一端"
        "的镜像。"
    ),
    "embed_inside.claim.roles.groups": "**同质性**：属于三个社区中的哪一个？",
    "embed_inside.claim.roles.roles": (
        "**结构**：在杠铃图中处于什么位置？不管 p 和 q 取多少，游走都没法在一个窗口内从一端走到另一端；Struc2vec 比"
        "较的是度，不需要相遇。"
    ),
    "embed_inside.claim.roles.says": (
        "虚线是总答最大一类能得的分。改变 q，node2vec 的均值变动 {moved}；仅换种子，标准差就有 {sd}。"
    ),
    # 论文
    "embed_inside.paper.deepwalk": "把游走当作句子。",
    "embed_inside.paper.line": "一阶与二阶相似性，按权重抽边。",
    "embed_inside.paper.node2vec": "记得上一步的游走。",
    "embed_inside.paper.struc2vec": "结构相似，不论相隔多远。",
    "embed_inside.paper.sdne": "邻接矩阵行的自编码器。",
    "embed_inside.paper.skipgram": "负采样。",
    "embed_inside.paper.netmf": "游走类方法分解的是哪个矩阵：上面精确的节点对数正是其中的各项。",
}
