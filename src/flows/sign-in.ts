import { msg } from '@lingui/core/macro';
import type { PageName } from '../views/page-name.ts';

export { flow } from '../ports/sign-in.ts';
export { SignInView as Screens } from '../views/sign-in/SignInView.tsx';

export const pageName: PageName<unknown> = () => msg`Sign in`;
