namespace Reclamation;

/// <summary>Where the objects of the workload come from. Each begins with its key, so that a reader sees whether it is still its own.</summary>
internal interface IAllocator : IDisposable
{
    /// <summary>Bytes that were retired and are not free yet.</summary>
    long LimboBytes { get; }

    /// <summary>Bytes of one object in <see cref="LimboBytes"/>.</summary>
    long ObjectBytes { get; }

    /// <summary>Makes an object. Inside a section.</summary>
    ulong Allocate(long key);

    /// <summary>False if an object holds anything but its key. Inside the section in which it was found.</summary>
    bool Holds(ulong found, long key);

    /// <summary>Gives back an object that nobody saw. Inside the section.</summary>
    void Abandon(ulong made);

    /// <summary>Retires an object that is out of the set. Outside of sections.</summary>
    void Retire(ulong removed);
}
