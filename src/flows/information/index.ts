export { informationMachine as flow } from '../../../machines/browsing/static-pages.ts';
export { InformationView as Screens } from './InformationView.tsx';
