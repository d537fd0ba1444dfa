import { count } from '../diagnostics/quote.ts';
import { type Asking, ask, evaluated } from './ask.ts';
import { type Deployment, type Kind, title } from './build.ts';
import { compressionExchanges } from './compression.ts';
import { configResults } from './config.ts';
import { corsExchanges } from './cors.ts';
import { endpointExchanges, proofOf, refusedExchanges } from './endpoints.ts';
import { recordResults, schemaResults } from './files.ts';
import { hostnameExchanges, isListOf, listExchange } from './list.ts';
import { mediaExchanges } from './media.ts';
import { pageExchanges } from './pages.ts';
import { pathExchanges } from './paths.ts';
import { merged, passed, type Row } from './result.ts';
import { conditionalExchange, listValidator, unknownTagExchanges } from './validators.ts';

/** The result of a verification. */
export interface Verification {
  checks: Row[];
  /** What was not checked, and why. */
  notes: string[];
}

/**
 * Verifies a deployment against the contract and against the build of this checkout; if its list is of another build, nothing else.
 * Pure: it yields requests, and the caller returns their outcomes. All requests are GET, HEAD or OPTIONS, except POST and PUT without
 * a body on an endpoint that is proved to be of this build, which rejects both: {@link proofOf}; and POST on its schemas, if both
 * endpoints and they are of this build.
 */
export function* verification(deployment: Deployment): Asking<Verification> {
  const { build, capabilities } = deployment;
  const hasRules = capabilities?.hasRules !== false;
  const first = listExchange(deployment);
  const [list] = yield [first.request];
  const results = evaluated(first, list);
  if (!isListOf(build, list))
    return {
      checks: merged(results, hasRules),
      notes: ['No further requests were sent: this is not a theme service, or not of this build, or not yet.'],
    };
  const config = yield* configResults(deployment);
  const anonymous = config.responded.find(({ requester }) => requester.name === 'anonymous')?.response;
  const gets = anonymous === undefined ? { list } : { list, config: anonymous };
  const proof = yield* proofOf(deployment, gets);
  // While a cache mixes up themes, responses vary, and a difference does not indicate a compression fault.
  const isMixed = config.results.some(({ id, ok }) => id === 'config/shared-cache' && !ok);
  const rest = yield* ask([
    ...conditionalExchange(deployment, list),
    ...unknownTagExchanges(deployment, gets),
    ...hostnameExchanges(deployment, list, config.responded),
    ...endpointExchanges(deployment, gets),
    ...refusedExchanges(deployment, proof.proved),
    ...pageExchanges(deployment, config.responded),
    ...compressionExchanges(deployment, list, isMixed ? [] : config.responded, proof.pages),
    ...pathExchanges(deployment),
    ...corsExchanges(deployment, gets),
  ]);
  const records = yield* recordResults(deployment);
  const schemas = yield* schemaResults(deployment, proof.proved.size === 2);
  const images = mediaExchanges(deployment);
  const media = yield* ask(images);
  if (images.length > 0) media.push(passed('media/status', `${count(images.length, 'image')} with 200`));
  const validator = listValidator(deployment, list, proof.pages.list);
  const all = [results, validator, config.results, proof.results, rest, records, schemas, media].flat();
  return { checks: merged(all, hasRules), notes: unprovedNotes(proof.proved) };
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

function unprovedNotes(proved: ReadonlySet<Kind>): string[] {
  const unproved = (['list', 'config'] as const).filter((kind) => !proved.has(kind)).map(title);
  if (unproved.length === 0) return [];
  return [
    `POST and PUT were not sent on ${unproved.join(' and ')}: this build is not proved to be deployed there, and another service might act on them.`,
  ];
}
