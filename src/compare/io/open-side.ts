import { quote } from '../../diagnostics/quote.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { hostProblem } from '../../http/io/addresses.ts';
import { serve } from '../../http/io/serve.ts';
import { isInsideNetwork } from '../../http/io/origin.ts';
import { CompareError } from './compare-error.ts';
import { Side, type SideOptions } from './side.ts';

/** Where a service is: live, or as a build, with its public and its private output. */
export type Place = { url: string; rules?: EdgeRules | undefined } | { out: string; edge: string };

/** A service that can be asked. */
export interface Opened {
  side: Side;
  /** How reports name it. */
  shown: string;
  /** The origins that its build lists, if that is known. */
  origins: readonly string[];
  close: () => Promise<void>;
}

/** Opens a service. A build is served on 127.0.0.1, so that it responds as on a host. */
export async function openSide(
  name: string,
  place: Place,
  options: Pick<SideOptions, 'rate' | 'mediaHosts' | 'listHeaders'>,
): Promise<Opened> {
  if ('url' in place) {
    const { url, rules } = place;
    const allowsPrivate = await isInsideNetwork(new URL(url).origin).catch((error: unknown) => {
      throw new CompareError(`${name} cannot be reached at ${url}: ${hostProblem(error)}.`);
    });
    if (options.listHeaders !== undefined && url.startsWith('http:') && !allowsPrivate)
      throw new CompareError('The header for LIST would be sent without encryption. Use an https URL.');
    const side = new Side({ name, url, baseUrl: rules?.baseUrl, allowsPrivate, ...options });
    return { side, shown: url, origins: rules?.corsOrigins ?? [], close: async () => side.close() };
  }
  const { rules, server, url } = await serve({ outDir: place.out, edgeOutDir: place.edge, port: 0 });
  // As fast as it goes: it is this process.
  const side = new Side({ name, url, allowsPrivate: true, mediaHosts: options.mediaHosts, rate: 10_000 });
  const close = async (): Promise<void> => {
    side.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { side, shown: quote(place.out).slice(1, -1), origins: rules.corsOrigins, close };
}
