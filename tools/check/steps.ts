import { checkBudget } from './budget.ts';
import type { ChangedFiles } from './changed-files.ts';
import { checkContract } from './contract.ts';
import { checkLayers } from './cruise.ts';
import { checkLint } from './lint.ts';
import { checkMessages } from './messages.ts';
import type { Step } from './step.ts';
import { checkTables } from './tables.ts';
import { checkTypes } from './types.ts';
import { checkUnits, type FileTime } from './units.ts';
import { checkUnused } from './unused.ts';
import { checkWording } from './wording.ts';

/**
 * The steps of the CI check in order, for the changed files. `onFileTime` receives the duration of
 * each unit test file.
 */
export const createCheckSteps = (changed: ChangedFiles, onFileTime?: (time: FileTime) => void): readonly Step[] => [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: (root) => checkLint(root, changed) },
  { name: 'wording of commits and added lines', run: checkWording },
  { name: 'import layers', run: checkLayers },
  { name: 'unused files and exports', run: (root) => checkUnused(root) },
  { name: 'contract drift', run: checkContract },
  { name: 'tables in docs', run: checkTables },
  { name: 'message catalogues', run: checkMessages },
  { name: 'bundle budget', alone: true, run: checkBudget },
  { name: 'unit tests', alone: changed === null, run: (root) => checkUnits(root, changed, onFileTime) },
];
