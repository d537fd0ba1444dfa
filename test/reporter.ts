import { writeFileSync } from 'node:fs';
import type { TestAnnotation } from 'vitest';
import { DefaultReporter, type TestCase, type TestModule } from 'vitest/node';

/** The prefix of a skip reason, which `.ci/bare-machine` compares. */
const SKIP_PREFIX = ' Skipped ';

/** Vitest's reporter, with a line per minute and the reasons of skipped tests, but without passed tests. */
export default class Reporter extends DefaultReporter {
  #ended = 0;
  #clock: NodeJS.Timeout | undefined;

  override onTestRunStart(...args: Parameters<DefaultReporter['onTestRunStart']>): void {
    super.onTestRunStart(...args);
    const files = args[0].length;
    let minutes = 0;
    const printProgress = (): void => this.log(` ${++minutes} min: ${this.#ended} of ${files} test files`);
    this.#clock = setInterval(printProgress, 60_000);
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#ended++;
    super.onTestModuleEnd(module);
  }

  override onTestRunEnd(...args: Parameters<DefaultReporter['onTestRunEnd']>): void {
    clearInterval(this.#clock);
    super.onTestRunEnd(...args);
  }

  protected override printTestModule(module: TestModule): void {
    if (module.state() === 'failed') super.printTestModule(module);
  }

  protected override printTestCase(moduleState: ReturnType<TestModule['state']>, test: TestCase): void {
    if (test.result().state === 'failed') super.printTestCase(moduleState, test);
  }

  /** Prints measurements of tests. */
  onTestCaseAnnotate(_: TestCase, { message }: TestAnnotation): void {
    this.log(` ${message}`);
  }

  override reportTestSummary(...args: Parameters<DefaultReporter['reportTestSummary']>): void {
    for (const line of this.#skipReasons()) this.log(line);
    const out = process.env['THEMECAST_TESTED_FILES_OUT'];
    if (out !== undefined)
      writeFileSync(
        out,
        this.#passedFiles()
          .map((file) => `${file}\n`)
          .join(''),
      );
    super.reportTestSummary(...args);
  }

  /** Returns the test files that passed without skipped tests. */
  #passedFiles(): string[] {
    return this.ctx.state
      .getTestModules()
      .filter((module) => module.ok() && [...module.children.allTests('skipped')].length === 0)
      .map(({ relativeModuleId }) => relativeModuleId);
  }

  /** Returns a line per skip reason, sorted, with the number of tests. A test without a reason is listed by name. */
  #skipReasons(): string[] {
    const counts = new Map<string, number>();
    for (const module of this.ctx.state.getTestModules())
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const note = result.state === 'skipped' ? result.note : undefined;
        // Tests excluded by `-t`, or after a failed hook, have no note.
        if (note === undefined && (this.ctx.config.testNamePattern !== undefined || !module.ok())) continue;
        const reason = note ?? `without a reason: ${module.relativeModuleId} > ${test.fullName}`;
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    const reasons = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return reasons.map(([reason, count]) => `${SKIP_PREFIX}${String(count).padStart(3)} × ${reason}`);
  }
}
