import { count } from '../../diagnostics/quote.ts';
import type { Deployment } from './build.ts';
import { optionalFor } from './checks.ts';
import { configFindings } from './config.ts';
import { corsExchanges } from './cors.ts';
import { type Asking, ask, judgedOutcome, type Outcome } from './exchange.ts';
import { type Finding, merged, passed } from './finding.ts';
import { conditionalExchange, listFindings, listRequest, liveList } from './list.ts';
import { mediaExchanges } from './media.ts';
import { methodExchanges } from './methods.ts';
import { pathExchanges } from './paths.ts';
import { renderingExchanges } from './renderings.ts';

/** What a deployment was found to be. */
export interface Verification {
  checks: Finding[];
  /** What was left out, and why. */
  notes: string[];
}

/**
 * Verifies a deployment against the contract and against the build of this checkout. Pure: it yields requests, and whoever
 * runs it hands back the outcomes. Every request is safe, but for POST and PUT without a body on the two endpoints, which
 * the contract refuses; a server is sent them only when its list shows that themecast published it, and that never writes.
 */
export function* verification(deployment: Deployment): Asking<Verification> {
  const optional = optionalFor(deployment.capabilities);
  const request = listRequest(deployment);
  const [outcome] = yield [request];
  const list = answerOf(outcome);
  const live = list && liveList(deployment.build, list);
  const findings = judgedOutcome('list/status', request, outcome, (answer) =>
    listFindings(deployment, request, answer, live),
  );
  if (list === undefined || live === undefined) {
    return {
      checks: merged(findings, optional),
      notes: ['Nothing else was asked: this is not a theme service, or not yet.'],
    };
  }
  const config = yield* configFindings(deployment, live);
  const gets = config.get === undefined ? { list } : { list, config: config.get };
  const others = yield* ask([
    ...conditionalExchange(deployment, list),
    ...methodExchanges(deployment, gets, live.isThemecast),
    ...renderingExchanges(deployment, live, gets),
    ...pathExchanges(deployment),
    ...corsExchanges(deployment, gets),
  ]);
  const pictures = mediaExchanges(deployment, live);
  const media = yield* ask(pictures);
  if (pictures.length > 0) media.push(passed('media/status', `${count(pictures.length, 'picture')} with 200`));
  return {
    checks: merged([...findings, ...config.findings, ...others, ...media], optional),
    notes: notesOf(live, deployment),
  };
}

function answerOf(outcome: Outcome | undefined) {
  return outcome === undefined || 'noAnswer' in outcome ? undefined : outcome;
}

function notesOf(
  { isCurrent, isThemecast }: { isCurrent: boolean; isThemecast: boolean },
  { as }: Deployment,
): string[] {
  return [
    ...(isThemecast ? [] : ['POST and PUT were not sent: themecast did not publish this list.']),
    ...(isCurrent
      ? []
      : ['The list is of another build: of its pictures, only those that this build has too were checked.']),
    ...(isCurrent || as.length > 0 ? [] : ['No user was asked for: name one with `--as USER`.']),
  ];
}
