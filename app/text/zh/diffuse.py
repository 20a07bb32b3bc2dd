"""What the sampler of diffusion models says of a request it cannot follow."""

MESSAGES: dict[str, str] = {
    "diffuse.samples": "一次可以生成 {least} 到 {most} 张图，不能是 {value} 张。",
    "diffuse.label": "没有类别 {value}：类别编号从 {least} 到 {most}，其中 {most} 表示不指定类别。",
    "diffuse.seed": "随机种子应为 {least} 到 {most} 之间的整数，不能是 {value}。",
    "diffuse.steps": "步数请选 {least} 到 {most}，不能是 {value}。",
    "diffuse.eta": "eta 应在 {least}（不加新噪声）到 {most}（与 DDPM 加得一样多）之间，现在是 {value}。",
    "diffuse.guidance": "引导强度应在 {least} 到 {most} 之间，现在是 {value}。",
    "diffuse.choice": "{name} 不能取“{value}”。可选：{known}。",
    "diffuse.index": "{samples} 张图需要 {samples} 个噪声编号，现在给了 {count} 个。",
    "diffuse.start": "没有第 {value} 步：这条路径的步号从 {least} 到 {most}。",
    "diffuse.start_picture": "作为起点的图像形状是 {given}；这个模型需要 {wanted}，且数值都有限。",
    "diffuse.skips": "这个模型有 {skips} 条跳跃连接，现在给了 {count} 个系数。",
    "diffuse.skip": "跳跃连接的系数应在 {least} 到 {most} 之间，不能是 {value}。",
    "diffuse.text": "一段文字最多 {most} 个字符，这段有 {value} 个。",
    "diffuse.strength": "强度在 {least}（图片不变）到 {most}（只剩噪声）之间，这里是 {value}。",
    "diffuse.tokens": "一段文字有 {tokens} 个词位，却给了 {count} 个系数。",
    "diffuse.token": "词的权重在 {least} 到 {most} 之间，不能是 {value}。",
    "diffuse.film": "动画至少要有一帧，每帧边长为 {least} 到 {most} 像素。",
}
