import { runSteps, formatTotals, type StepResult } from '../check/sequence.ts';
import { checkFirefox } from './browser-tests.ts';

const steps: StepResult[] = [];
const addStep = (result: StepResult): void => void steps.push(result);
const { failed } = await runSteps(process.cwd(), [{ name: 'browser tests in Firefox', run: checkFirefox }], console.log, addStep);
console.log(formatTotals(steps));
process.exitCode = failed === 0 ? 0 : 1;
