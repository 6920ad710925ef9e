export { flow } from './ports.ts';
export { PurchaseView as Screens } from './PurchaseView.tsx';
