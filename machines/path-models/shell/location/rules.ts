import type { locationMachine } from '../../../app/location.ts';
import { rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always } = rulesFor<typeof locationMachine>();

export const rules: Record<string, MachineRules> = {
  location: {
    rules: [
      always('a change of the browser history, and nothing else, sends location.changed', (moment) => {
        return getSentEvents(moment, 'location.changed').length === (moment.event.type === 'history.changed' ? 1 : 0);
      }),
      always('a go event pushes or replaces its path in the browser history', (moment) => {
        if (moment.event.type !== 'go') return true;
        const historyEvents = getSentEvents(moment, moment.event['replace'] === true ? 'history.replace' : 'history.push');
        return historyEvents.length === 1 && historyEvents[0]?.['to'] === moment.event['to'];
      }),
      always('the page is left at most once', (moment) => {
        const leaveCount = getSentEvents(moment, 'history.leave').length;
        return leaveCount === 0 || moment.before?.matches('here') === true;
      }),
    ],
  },
};
