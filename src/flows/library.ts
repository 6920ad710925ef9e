import { msg } from '@lingui/core/macro';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/library.ts';
export { LibraryView as Screens } from '../views/library/LibraryView.tsx';

export const pageName: PageName<unknown> = () => msg`My Library`;
