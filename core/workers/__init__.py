"""Trajectories that run elsewhere: in other processes of this machine, or in actors of a Ray cluster.

The engine of this process (the driver) draws the trajectories, keeps them and tells of them as always. ``crew`` hands
each to a ``worker``, which goes its steps with an engine of its own; what that would keep comes back as ``words`` and
is kept here, where the journal, the budget and the recalled answers are. Links (``process``, ``on_ray``) carry bytes.
"""
