export { notFoundMachine as flow } from '../../machines/still.ts';
export { NotFoundView as Screens } from '../views/not-found/NotFoundView.tsx';
