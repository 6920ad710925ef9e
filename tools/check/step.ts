/**
 * The result of one step of the gate: how many things held, how many did not, and its text.
 * `skipped` counts tests that did not run, absent when all ran; `failedTests` are the tests that
 * failed, a line each, where the step knows them.
 */
export type Outcome = {
  passed: number;
  failed: number;
  skipped?: number;
  says: string;
  failedTests?: readonly string[];
};

/** One step of the gate: `root` is the project folder. One that keeps every processor busy itself, or builds what another may build too, runs alone. */
export type Step = { name: string; alone?: boolean; run(root: string): Promise<Outcome> };

export function holds(says: string): Outcome {
  return { passed: 1, failed: 0, says };
}

export function broken(says: string): Outcome {
  return { passed: 0, failed: 1, says };
}

/** An outcome's count of skipped tests, absent when all ran. */
export const skippedCount = (skipped: number): Pick<Outcome, 'skipped'> => (skipped === 0 ? {} : { skipped });

/** How many tests passed, and why others were skipped, which they print as `skipped: …`. */
export function saysOfTests(passed: number, total: number, output: string): string {
  return [`${passed} of ${total} tests passed`, ...new Set(output.match(/skipped: .+/g))].join('; ');
}

/** Holds when there is nothing to complain of; otherwise every complaint stands on its own line. */
export function noComplaints(complaints: readonly string[], says: string): Outcome {
  return complaints.length === 0 ? holds(says) : broken(complaints.join('\n'));
}
