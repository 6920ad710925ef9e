import { runSteps } from './sequence.ts';
import { gate } from './steps.ts';

const { passed, failed } = await runSteps(process.cwd(), gate);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
