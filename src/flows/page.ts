import type { ContextFrom } from 'xstate';
import type { pageMachine } from '../../machines/page.ts';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/page.ts';
export { ContentPageView as Screens } from '../views/pages/ContentPageView.tsx';

export const pageName: PageName<ContextFrom<typeof pageMachine>> = ({ page }) => page?.name ?? null;
