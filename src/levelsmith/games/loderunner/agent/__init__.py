"""The agents that play a level: `still` while nobody moves, `chase` against its guards."""
