import { git } from '../git/git.ts';
import { UsageError } from './command.ts';

/** Throws where Git is not installed, as on Alpine and in slim container images. @throws {UsageError} */
export async function requireGit(folder: string): Promise<void> {
  if ((await git('.', 'version')) !== undefined) return;
  throw new UsageError(
    `Git is not installed here, and ${folder} is compared by its commits. Install it, such as with \`apt-get install git\` or \`apk add git\`.`,
  );
}
