export { describeStorage, type DescribeStorageOptions } from './describe-storage.js'
