import type { locationMachine } from '../../../app/location.ts';
import type { Description } from '../../description.ts';

export const locationDescription = {
  title: 'The address bar',
  about: 'Has no screen: watch the address bar and the browser’s history. It can be watched under any flow.',
  states: {
    'location.here': 'A page of the shop is shown.',
    'location.leaving': 'The browser is on its way to another site.',
  },
  happens: {
    'history.changed': 'The address changes, by a link, Back or Forward',
    go: 'The app requests another address',
    leave: 'The app opens the gateway’s page',
    'page.returned': 'The customer comes back by the browser’s Back',
    'page.hidden': 'The window is hidden, or another one comes before it',
  },
  effects: {
    reportRoute: 'The screen is the one of the address.',
    reportPage: 'The same screen is shown, at the same scroll position.',
    push: 'The new address is shown; Back leads to the one before.',
    replace: 'The new address is shown; Back leads past the one before.',
  },
} satisfies Description<typeof locationMachine>;
