/**
 * Decodes images in a process that does nothing else. It receives bytes, or the path of a file, and replies with bytes. The parent process kills it
 * if an image exceeds its limits.
 */
import { readContainer } from '../../core/image/container.ts';
import { readIfFile, sha256Of } from '../disk/files.ts';
import { type Decoded, type Greeting, type Job, type Numbered, type DecoderReply, undecodable } from './job.ts';

// Ends with the build, even a killed one. Not by `exit`, which waits until the current image is decoded.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl+C reaches every process of the command; only the build decides when to stop.
process.on('SIGINT', () => undefined);

function send(number: number, content: readonly (DecoderReply | Decoded)[] | Greeting): void {
  process.send?.({ number, content } satisfies Numbered<typeof content>);
}

/** Returns the bytes of a job. Large files are read here, so that their bytes are not copied through a pipe. */
function bytesOf({ bytes: source, format }: Job): Uint8Array | undefined {
  if (source instanceof Uint8Array) return source;
  const bytes = readIfFile(source.file, source.bytes);
  if (bytes === undefined || sha256Of(bytes) !== source.sha256) return undefined;
  // What is published: its metadata might turn the image otherwise.
  const container = format === 'svg' ? undefined : readContainer(bytes, format);
  return container !== undefined && 'published' in container ? container.published : bytes;
}

try {
  const { draw, pixelsOf } = await import('./draw.ts');
  const replyTo = async (job: Job): Promise<DecoderReply | Decoded> => {
    const bytes = bytesOf(job);
    if (bytes === undefined) return 'changed';
    return job.pixels === undefined ? draw({ ...job, bytes }) : pixelsOf({ ...job, bytes }, job.pixels);
  };
  process.on('message', ({ number, content: jobs }: Numbered<readonly Job[]>) => {
    const replies = async (): Promise<(DecoderReply | Decoded)[]> => {
      const all: (DecoderReply | Decoded)[] = [];
      for (const job of jobs) all.push(await replyTo(job).catch(undecodable));
      return all;
    };
    void replies().then((all) => send(number, all));
  });
  send(0, 'ready');
} catch (error) {
  send(0, { failure: error instanceof Error ? error.message : String(error) });
}
