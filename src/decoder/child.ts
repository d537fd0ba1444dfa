/**
 * The process that decodes images, and does nothing else: it is sent bytes, or which file has them, and sends bytes back. Anyone who
 * sends them kills it if an image costs too much.
 */
import { readIfFile, sha256Of } from '../disk/files.ts';
import type { Decoded, Reply, Greeting, Job, Numbered } from './job.ts';

// When the build has ended, however it did. Not `exit`: that waits until the image under way is decoded.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal sends Ctrl-C to every process of a command: when a build ends is for the build to say.
process.on('SIGINT', () => undefined);

function send(number: number, content: readonly (Reply | Decoded)[] | Greeting): void {
  process.send?.({ number, content } satisfies Numbered<typeof content>);
}

/** The bytes of a job. Read here, large ones are not copied through a pipe. */
function bytesOf({ bytes: known }: Job): Uint8Array | undefined {
  if (known instanceof Uint8Array) return known;
  const bytes = readIfFile(known.file, known.bytes);
  return bytes !== undefined && sha256Of(bytes) === known.sha256 ? bytes : undefined;
}

try {
  const { draw, pixelsOf } = await import('./draw.ts');
  const replyTo = async (job: Job): Promise<Reply | Decoded> => {
    const bytes = bytesOf(job);
    if (bytes === undefined) return 'changed';
    return job.pixels === undefined ? draw({ ...job, bytes }) : pixelsOf({ ...job, bytes }, job.pixels);
  };
  process.on('message', ({ number, content: jobs }: Numbered<readonly Job[]>) => {
    const replies = async (): Promise<(Reply | Decoded)[]> => {
      const all: (Reply | Decoded)[] = [];
      // Not what the decoder says of it: its messages are not about the theme, and may be pages long.
      for (const job of jobs) all.push(await replyTo(job).catch(() => 'does not decode' as const));
      return all;
    };
    void replies().then((all) => send(number, all));
  });
  send(0, 'ready');
} catch (error) {
  send(0, { failure: error instanceof Error ? error.message : String(error) });
}
