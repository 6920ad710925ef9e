import { msg } from '@lingui/core/macro';
import type { ContextFrom } from 'xstate';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import type { PageName } from '../../views/page-name.ts';

export { flow } from './ports.ts';
export { TitleView as Screens } from './TitleView.tsx';

export const pageName: PageName<ContextFrom<typeof titleMachine>> = ({ title }, _, state) => {
  if (state === 'notFound') return msg`We don’t have that title`;
  return state === 'failed' ? msg`We couldn’t load this title` : (title?.name ?? null);
};
