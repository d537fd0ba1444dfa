import { count } from '../diagnostics/quote.ts';
import type { Deployment, Kind, LiveList } from './build.ts';
import { toleranceFor } from './checks.ts';
import { compressedSchemaExchanges, compressionExchanges } from './compression.ts';
import { anonymousResponse, configResults } from './config.ts';
import { corsExchanges } from './cors.ts';
import type { HttpResponse, Outcome } from '../http/exchange.ts';
import { type Asking, ask, judgedOutcome } from './ask.ts';
import { merged, passed, type Row } from './result.ts';
import { conditionalExchange, listResults, listRequest, listValidator, liveList, unknownTagExchanges } from './list.ts';
import { addressResults, hostnameExchanges } from './list-elsewhere.ts';
import { mediaExchanges } from './media.ts';
import { methodExchanges, proofOf } from './methods.ts';
import { pathExchanges } from './paths.ts';
import { redirectExchanges } from './redirects.ts';
import { pageExchanges, renderingExchanges } from './renderings.ts';
import { withholding } from './requesters.ts';
import { refusedSchemaExchanges, schemaExchanges } from './schemas.ts';

/** The result of a verification. */
export interface Verification {
  checks: Row[];
  /** What was not checked, and why. */
  notes: string[];
}

/**
 * Verifies a deployment against the contract and against the build of this checkout. Pure: it yields requests, and the
 * caller returns their outcomes. All requests are GET, HEAD or OPTIONS, except POST and PUT without a body on an endpoint that is proved
 * to be of this build, which rejects both: {@link proofOf}; and POST on its schemas, if both endpoints and they are of this build.
 */
export function* verification(deployment: Deployment): Asking<Verification> {
  const tolerance = toleranceFor(deployment.capabilities);
  const request = listRequest(deployment);
  const [outcome] = yield [request];
  const list = answerOf(outcome);
  const live = list && liveList(deployment.build, list);
  const results = judgedOutcome('list/status', request, outcome, (response) =>
    listResults(deployment, request, response, live),
  );
  if (list === undefined || live === undefined) {
    return {
      checks: merged(results, tolerance),
      notes: ['No further requests were sent: this is not a theme service, or not yet.'],
    };
  }
  const config = yield* configResults(deployment, live);
  const get = anonymousResponse(config);
  const gets = get === undefined ? { list } : { list, config: get };
  const proof = yield* proofOf(deployment, live.isCurrent);
  // While a cache mixes up themes, responses vary, and a difference does not indicate a compression fault.
  const isMixed = config.results.some(({ id, ok }) => id === 'config/shared-cache' && !ok);
  const { results: atAddresses, notes } = yield* addressResults(deployment, list);
  const others = yield* ask([
    ...conditionalExchange(deployment, list),
    ...unknownTagExchanges(deployment, gets),
    ...hostnameExchanges(deployment, list, config.responded),
    ...methodExchanges(deployment, gets, proof.proved),
    ...renderingExchanges(deployment, live, gets),
    ...pageExchanges(deployment, live, config.responded),
    ...compressionExchanges(deployment, gets, isMixed ? [] : config.responded, proof, live.isCurrent),
    ...pathExchanges(deployment),
    ...corsExchanges(deployment, gets),
    ...schemaExchanges(deployment, live),
    ...redirectExchanges(deployment, live.isCurrent),
  ]);
  const images = mediaExchanges(deployment, live);
  const hasSchemas = live.isCurrent && others.every(({ id, ok }) => ok || id !== 'schema/document');
  const media = yield* ask([
    ...images,
    ...(hasSchemas ? compressedSchemaExchanges(deployment) : []),
    ...(hasSchemas && proof.proved.size === 2 ? refusedSchemaExchanges(deployment) : []),
  ]);
  if (images.length > 0) media.push(passed('media/status', `${count(images.length, 'image')} with 200`));
  return {
    checks: merged(
      [
        ...results,
        ...atAddresses,
        ...listValidator(deployment, list, proof.pages.list),
        ...config.results,
        ...others,
        ...media,
      ],
      tolerance,
    ),
    notes: [...notes, ...notesOf(live, deployment, proof.proved)],
  };
}

/**
 * Whether a deployment passes.
 * @param strict - whether tolerated faults fail too, except those that the host declares
 */
export function holds({ checks }: Verification, strict: boolean): boolean {
  return checks.every(
    ({ status, declared }) => status === 'passed' || (status === 'tolerated' && (!strict || declared)),
  );
}

function answerOf(outcome: Outcome | undefined): HttpResponse | undefined {
  return outcome === undefined || 'noResponse' in outcome ? undefined : outcome;
}

function notesOf({ isCurrent }: LiveList, deployment: Deployment, proved: ReadonlySet<Kind>): string[] {
  const { build, given } = deployment;
  const unproved = (['list', 'config'] as const).filter((kind) => !proved.has(kind));
  const where = unproved.length === 2 ? '' : ` on ${unproved.join().toUpperCase()}`;
  return [
    ...(unproved.length === 0
      ? []
      : [
          `POST and PUT were not sent${where}: this build is not proved to be deployed there, and another service might act on them.`,
        ]),
    ...(isCurrent ? [] : ['The list is from another build: only the images that this build has too were checked.']),
    ...(isCurrent || build.named.length > 0 ? [] : ['No user was checked: name one with `--as USER`.']),
    ...(isCurrent || given === undefined || withholding(deployment) !== undefined
      ? []
      : ['The given credentials were not sent: they are sent only to a site that serves this build.']),
  ];
}
