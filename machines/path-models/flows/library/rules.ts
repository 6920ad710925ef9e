import type { Library } from '../../../model/buying/purchase.ts';
import type { libraryMachine } from '../../../reading/library.ts';
import { viewerPath } from '../../../model/paths.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo } = rulesFor<typeof libraryMachine>();

export const rules: Record<string, MachineRules> = {
  library: {
    rules: [
      leadsTo('a library comes, or a word why not', {
        after: (moment) => getPortInput(moment, 'purchases') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      always('the titles that are asked for are those of the address', (moment) => {
        const asked = getPortInput(moment, 'purchases');
        return asked === undefined || JSON.stringify(asked) === JSON.stringify(moment.snapshot.context.query);
      }),
      always('another address is another list', (moment) => {
        return moment.event.type !== 'route.changed' || getPortInput(moment, 'purchases') !== undefined;
      }),
      always('a title that is opened is read', (moment) => {
        const isOpened = moment.event.type === 'title.opened' && moment.fired.length > 0;
        return !isOpened || getSentEvents(moment, 'go').some(({ to }) => to === viewerPath(String(moment.event['instanceId'])));
      }),
      always('what has left is told', (moment) => {
        const told = getPortOutput<Library>(moment, 'purchases');
        return told === undefined || JSON.stringify(told.left) === JSON.stringify(moment.snapshot.context.left);
      }),
      invariant('what is shown has titles', ({ value, context }) => value !== 'shown' || context.titles.length > 0),
    ],
  },
};
