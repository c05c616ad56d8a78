"""A vector of environments held against the same environments one by one."""


def stepped(boards, alone, over, actions):
    """One step of both, which must agree: what the vector shows, and what each shows alone."""
    views, rewards, terminated, truncated, infos = boards.step(actions)
    seen = []
    for i, env in enumerate(alone):
        if over[i]:
            view, info = env.reset()
            reward, ended, cut = 0.0, False, False
        else:
            view, reward, ended, cut, info = env.step(int(actions[i]))
        assert (rewards[i], terminated[i], truncated[i]) == (reward, ended, cut)
        over[i] = ended or cut
        seen.append((view, info))
    return views, infos, seen
