import type { ContextFrom } from 'xstate';
import type { signpostMachine } from '../../machines/still.ts';
import type { PageName } from '../views/page-name.ts';
import { signNames } from '../views/signpost/sign-names.ts';

export { signpostMachine as flow } from '../../machines/still.ts';
export { SignpostView as Screens } from '../views/signpost/SignpostView.tsx';

export const pageName: PageName<ContextFrom<typeof signpostMachine>> = ({ params }) => signNames[params['page'] ?? ''] ?? null;
