import type { Library } from '../../../model/buying/purchase.ts';
import type { libraryMachine } from '../../../reading/library.ts';
import { viewerPath } from '../../../model/paths.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, leadsTo } = rulesFor<typeof libraryMachine>();

export const rules: Record<string, MachineRules> = {
  library: {
    rules: [
      leadsTo('the library loads or its failure is shown', {
        after: (moment) => getPortInput(moment, 'purchases') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      always('the titles are requested with the query of the URL', (moment) => {
        const input = getPortInput(moment, 'purchases');
        return input === undefined || isSameJson(input, moment.snapshot.context.query);
      }),
      always('a change of the URL reloads the list', (moment) => {
        return moment.event.type !== 'route.changed' || getPortInput(moment, 'purchases') !== undefined;
      }),
      always('an opened title leads to the viewer', (moment) => {
        const isOpened = moment.event.type === 'title.opened' && moment.fired.length > 0;
        return !isOpened || getSentEvents(moment, 'go').some(({ to }) => to === viewerPath(String(moment.event['instanceId'])));
      }),
      always('the titles lost with an ended subscription are those of the answer', (moment) => {
        const loadedLibrary = getPortOutput<Library>(moment, 'purchases');
        return loadedLibrary === undefined || isSameJson(loadedLibrary.left, moment.snapshot.context.left);
      }),
      invariant('a shown library has titles', ({ value, context }) => value !== 'shown' || context.titles.length > 0),
    ],
  },
};
