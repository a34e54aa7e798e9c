using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.Collections.Tests;
using Xunit;

namespace Smc.Saving.Tests;

/// <summary>
/// A process that is killed while it saves leaves the old file or the new one. Each run kills one at the next step; <c>SMC_KILLS=200</c> makes 200 runs, without it there is one for each step.
/// </summary>
public sealed class KillTests
{
    [Fact]
    public void A_process_that_is_killed_while_it_saves_leaves_the_old_file_or_the_new_one()
    {
        using SavedFile file = new();
        int kills = int.TryParse(Environment.GetEnvironmentVariable("SMC_KILLS"), CultureInfo.InvariantCulture, out int given) ? given : 0;
        int steps = 0;
        bool isSaved = false;
        for (int kill = 1, step = 1; kills == 0 ? !isSaved : kill <= kills; kill++, step = isSaved ? 1 : step + 1)
        {
            using (Collection<Item> old = Victim.Items(Victim.OldRows))
                Database.Save(file.Path, old);
            Assert.Equal(["data.smc"], file.Files);
            isSaved = Die(file.Path, step);
            steps = Math.Max(steps, step);
            using Database loaded = Database.Load(file.Path, RowType.Of<Item>());
            long rows = loaded.Get<Item>().LongCount;
            Assert.True(rows is Victim.OldRows or Victim.NewRows);
            Assert.True(!isSaved || rows == Victim.NewRows);
            Assert.All(loaded.Get<Item>(), item => Assert.Equal($"one of {rows}", item.Text));
        }

        // Created, the parts of the file, on the disk, renamed, the directory on the disk.
        Assert.True(steps > 8);
    }

    private static bool Die(string path, int step)
    {
        ProcessStartInfo start = new(Environment.ProcessPath!) { RedirectStandardOutput = true };
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
            start.ArgumentList.Add(typeof(KillTests).Assembly.Location);
        start.ArgumentList.Add(Victim.Verb);
        start.ArgumentList.Add(path);
        start.ArgumentList.Add(step.ToString(CultureInfo.InvariantCulture));
        using Process process = Process.Start(start)!;
        process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0;
    }
}
