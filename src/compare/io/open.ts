import { quote } from '../../diagnostics/quote.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { hostProblem } from '../../http/io/addresses.ts';
import { serve } from '../../http/io/serve.ts';
import { isInsideNetwork } from '../../http/io/origin.ts';
import { readRules } from '../../io/output/built.ts';
import { UsageError } from '../../command-line/command.ts';
import { Side, type SideOptions } from './side.ts';

/** A service that can be asked. */
export interface Opened {
  side: Side;
  /** How reports name it. */
  shown: string;
  /** The origins that its build lists, if that is known. */
  origins: readonly string[];
  close: () => Promise<void>;
}

type Options = Pick<SideOptions, 'rate' | 'mediaHosts'>;

/** Opens the service that is replaced. @param listHeaders - headers without which it does not show its list */
export async function openOld(
  url: string,
  options: Options,
  listHeaders?: Readonly<Record<string, string>>,
): Promise<Opened> {
  const allowsPrivate = await isPrivate('OLD', url);
  if (listHeaders !== undefined && url.startsWith('http:') && !allowsPrivate)
    throw new UsageError('The header for LIST would be sent without encryption. Use an https URL.');
  const side = new Side({ name: 'OLD', url, allowsPrivate, listHeaders, ...options });
  return { side, shown: url, origins: [], close: async () => side.close() };
}

/**
 * Opens what replaces it: a service, or a build, which is served on 127.0.0.1, so that it responds as on a host.
 * @param url - undefined for the build
 */
export async function openNew(
  url: string | undefined,
  { out, edge }: { out: string; edge: string },
  options: Options,
): Promise<Opened> {
  if (url !== undefined) {
    // A build that is deployed for a rehearsal names its images at its public address.
    const rules: EdgeRules | undefined = await readRules(edge).catch(() => undefined);
    const allowsPrivate = await isPrivate('NEW', url);
    const side = new Side({ name: 'NEW', url, baseUrl: rules?.baseUrl, allowsPrivate, ...options });
    return { side, shown: url, origins: rules?.corsOrigins ?? [], close: async () => side.close() };
  }
  const { rules, server, url: own } = await serve({ outDir: out, edgeOutDir: edge, port: 0 });
  // As fast as it goes: it is this process.
  const side = new Side({ name: 'NEW', url: own, allowsPrivate: true, ...options, rate: 10_000 });
  const close = async (): Promise<void> => {
    side.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { side, shown: quote(out).slice(1, -1), origins: rules.corsOrigins, close };
}

function isPrivate(name: string, url: string): Promise<boolean> {
  return isInsideNetwork(new URL(url).origin).catch((error: unknown) => {
    throw new UsageError(`${name} cannot be reached at ${url}: ${hostProblem(error)}.`);
  });
}
