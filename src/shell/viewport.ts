import type { EventObject } from 'xstate';
import type { Layout } from '../../machines/model/route.ts';
import { channelPort } from '../../machines/ports.ts';

const widths = () => ({ desktop: matchMedia('(min-width: 1221px)'), tablet: matchMedia('(min-width: 768px)') });

/** Desktop above 1220 px, tablet above 767, otherwise mobile. */
export const layoutNow = ({ desktop, tablet } = widths()): Layout => {
  if (desktop.matches) return 'desktop';
  return tablet.matches ? 'tablet' : 'mobile';
};

export const viewportPort = channelPort<EventObject, { type: 'layout.changed'; layout: Layout }>(({ sendBack }) => {
  const { desktop, tablet } = widths();
  const report = () => sendBack({ type: 'layout.changed', layout: layoutNow({ desktop, tablet }) });
  desktop.addEventListener('change', report);
  tablet.addEventListener('change', report);
  return () => {
    desktop.removeEventListener('change', report);
    tablet.removeEventListener('change', report);
  };
});
