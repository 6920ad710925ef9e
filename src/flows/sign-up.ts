import { msg } from '@lingui/core/macro';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/sign-up.ts';
export { SignUpView as Screens } from '../views/sign-up/SignUpView.tsx';

export const pageName: PageName<unknown> = () => msg`Create an account`;
