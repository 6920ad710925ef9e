import { msg } from '@lingui/core/macro';
import type { ContextFrom } from 'xstate';
import type { viewerMachine } from '../../machines/viewer.ts';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/viewer.ts';
export { ViewerView as Screens } from '../views/viewer/ViewerView.tsx';

export const pageName: PageName<ContextFrom<typeof viewerMachine>> = ({ opened }) => opened?.publication.name ?? msg`Reading`;
