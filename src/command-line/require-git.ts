import { git } from '../git/git.ts';
import { UsageError } from './command.ts';

/** Refuses to go on where Git is not installed, as on Alpine and in slim container images. @throws {UsageError} */
export async function requireGit(folder: string): Promise<void> {
  if ((await git('.', 'version')) !== undefined) return;
  throw new UsageError(
    `Git is not installed here, and ${folder} is compared by its commits. Install it, such as with \`apt-get install git\` or \`apk add git\`.`,
  );
}
