/**
 * The process that decodes images, and does nothing else: it is sent bytes and sends bytes back. Anyone who sends them
 * kills it if an image costs too much.
 */
import type { Decoded, Reply, Greeting, Job, Numbered } from './job.ts';

// When the build has ended, however it did. Not `exit`: that waits until the image under way is decoded.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal sends Ctrl-C to every process of a command: when a build ends is for the build to say.
process.on('SIGINT', () => undefined);

function send(number: number, content: Reply | Decoded | Greeting): void {
  process.send?.({ number, content } satisfies Numbered<typeof content>);
}

try {
  const { draw, pixelsOf } = await import('./draw.ts');
  process.on('message', ({ number, content: job }: Numbered<Job>) => {
    // Not what the decoder says of it: its messages are not about the theme, and may be pages long.
    const drawn = job.pixels === undefined ? draw(job) : pixelsOf(job, job.pixels);
    drawn.then(
      (reply) => send(number, reply),
      () => send(number, 'does not decode'),
    );
  });
  send(0, 'ready');
} catch (error) {
  send(0, { failure: error instanceof Error ? error.message : String(error) });
}
