import type { ContextFrom } from 'xstate';
import type { viewerMachine } from '../../../machines/reading/viewer.ts';
import type { PageName } from '../../views/page-name.ts';

export { flow } from './ports.ts';
export { ViewerView as Screens } from './ViewerView.tsx';

export const pageName: PageName<ContextFrom<typeof viewerMachine>> = ({ opened }) => opened?.publication.name ?? null;
