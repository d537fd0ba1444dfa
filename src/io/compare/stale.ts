import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { liveFiles } from '../output/places.ts';

/** Whether anything in a themes folder was written after its build: what `compare` finds may then be of another state. */
export async function isOlderThanThemes(out: string, themesDir: string): Promise<boolean> {
  const built = (await liveFiles(out)).fileStat('manifest.json')?.modified;
  return built !== undefined && newest(themesDir) > built;
}

/** The time of the newest file, in milliseconds since 1970. Names with a dot and the schemas for editors are not built. */
function newest(folder: string): number {
  let latest = 0;
  for (const entry of entriesOf(folder)) {
    if (entry.name.startsWith('.') || entry.name.endsWith('.schema.json')) continue;
    const file = path.join(folder, entry.name);
    const time = entry.isDirectory() ? newest(file) : (lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    latest = Math.max(latest, time);
  }
  return latest;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
