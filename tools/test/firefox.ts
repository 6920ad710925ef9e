import { runSteps, sumOf, type Done } from '../check/sequence.ts';
import { checkFirefox } from './browser-tests.ts';

const steps: Done[] = [];
const note = (done: Done): void => void steps.push(done);
const { failed } = await runSteps(process.cwd(), [{ name: 'stories in Firefox', run: checkFirefox }], console.log, note);
console.log(sumOf(steps));
process.exitCode = failed === 0 ? 0 : 1;
