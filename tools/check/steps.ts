import { checkBudget } from './budget.ts';
import { checkContract } from './contract.ts';
import { checkFloors } from './cruise.ts';
import { checkLint } from './lint.ts';
import { checkMessages } from './messages.ts';
import type { Step } from './step.ts';
import { checkTypes } from './types.ts';
import { checkUnits } from './units.ts';
import { checkUnused } from './unused.ts';

/** The gate, in its order. */
export const gate: readonly Step[] = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: checkLint },
  { name: 'import floors', run: checkFloors },
  { name: 'unused files and exports', run: checkUnused },
  { name: 'contract drift', run: checkContract },
  { name: 'message catalogues', run: checkMessages },
  { name: 'bundle budget', run: checkBudget },
  { name: 'unit tests', alone: true, run: checkUnits },
];
