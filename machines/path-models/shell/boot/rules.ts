import type { bootMachine } from '../../../app/boot.ts';
import { getPortOutput, getPortProblem, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, onlyAfter } = rulesFor<typeof bootMachine>();

export const rules: Record<string, MachineRules> = {
  boot: {
    rules: [
      onlyAfter('a store becomes valid only when its properties have loaded', {
        cause: (moment) => getPortOutput(moment, 'storeProperties') !== undefined,
        what: ({ snapshot }) => snapshot.matches('valid'),
      }),
      always('loaded store properties make the store valid', (moment) => {
        const store = getPortOutput(moment, 'storeProperties');
        return store === undefined || (moment.snapshot.matches('valid') && moment.snapshot.context.store === store);
      }),
      always('a failed request leads to unreachable, unless the store is invalid', (moment) => {
        const problem = getPortProblem(moment, 'storeProperties');
        return problem === null || problem.kind === 'invalidStore' || moment.snapshot.matches('unreachable');
      }),
      always('the store counts as invalid exactly when the server says so', (moment) => {
        return moment.snapshot.matches('invalid') === (getPortProblem(moment, 'storeProperties')?.kind === 'invalidStore');
      }),
    ],
  },
};
