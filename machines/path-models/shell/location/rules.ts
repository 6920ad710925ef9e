import type { locationMachine } from '../../../app/location.ts';
import { rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always } = rulesFor<typeof locationMachine>();

export const rules: Record<string, MachineRules> = {
  location: {
    rules: [
      always('the shop hears of every address', (moment) => {
        return getSentEvents(moment, 'location.changed').length === (moment.event.type === 'history.changed' ? 1 : 0);
      }),
      always('where the shop wants to go, the browser goes', (moment) => {
        if (moment.event.type !== 'go') return true;
        const told = getSentEvents(moment, moment.event['replace'] === true ? 'history.replace' : 'history.push');
        return told.length === 1 && told[0]?.['to'] === moment.event['to'];
      }),
      always('nobody leaves twice', (moment) => {
        const leaves = getSentEvents(moment, 'history.leave').length;
        return leaves === 0 || moment.before?.matches('here') === true;
      }),
    ],
  },
};
