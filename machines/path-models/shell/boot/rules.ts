import type { bootMachine } from '../../../app/boot.ts';
import { getPortOutput, getPortProblem, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, onlyAfter } = rulesFor<typeof bootMachine>();

export const rules: Record<string, MachineRules> = {
  boot: {
    rules: [
      onlyAfter('a store is open only when its properties have come', {
        cause: (moment) => getPortOutput(moment, 'storeProperties') !== undefined,
        what: ({ snapshot }) => snapshot.matches('valid'),
      }),
      always('a store that is there is opened', (moment) => {
        const store = getPortOutput(moment, 'storeProperties');
        return store === undefined || (moment.snapshot.matches('valid') && moment.snapshot.context.store === store);
      }),
      always('a shop that cannot be reached says so', (moment) => {
        const problem = getPortProblem(moment, 'storeProperties');
        return problem === null || problem.kind === 'invalidStore' || moment.snapshot.matches('unreachable');
      }),
      always('a store is said not to exist only when the server says so', (moment) => {
        return moment.snapshot.matches('invalid') === (getPortProblem(moment, 'storeProperties')?.kind === 'invalidStore');
      }),
    ],
  },
};
