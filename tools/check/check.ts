import { checkBudget } from './budget.ts'
import { checkContract } from './contract.ts'
import { checkFloors } from './cruise.ts'
import { checkLint } from './lint.ts'
import { checkMessages } from './messages.ts'
import { runSteps } from './sequence.ts'
import { checkTypes } from './types.ts'
import { checkUnits } from './units.ts'
import { checkUnused } from './unused.ts'

const total = await runSteps(process.cwd(), [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: checkLint },
  { name: 'import floors', run: checkFloors },
  { name: 'unused files and exports', run: checkUnused },
  { name: 'contract drift', run: checkContract },
  { name: 'message catalogues', run: checkMessages },
  { name: 'bundle budget', run: checkBudget },
  { name: 'unit tests', run: checkUnits },
])
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
