const ts=require('/work/main/node_modules/typescript');const fs=require('fs');const cp=require('child_process');
const files=cp.execSync('git ls-files test/reconcile test/lifecycle test/simulation test/support').toString().split('\n').filter(f=>/\.ts$/.test(f));
let T={};
for(const f of files){const t=fs.readFileSync(f,'utf8');const nb=s=>s.replace(/\s/g,'').length;let com=0,imp=0;
 const seen=new Set();const sf=ts.createSourceFile(f,t,99,true);
 for(const st of sf.statements)if(ts.isImportDeclaration(st))imp+=nb(st.getText());
 (function v(n){for(const r of [...(ts.getLeadingCommentRanges(t,n.getFullStart())||[]),...(ts.getTrailingCommentRanges(t,n.getEnd())||[])]){if(seen.has(r.pos))continue;seen.add(r.pos);com+=nb(t.slice(r.pos,r.end));}n.getChildren().forEach(v);})(sf);
 const d=f.split('/')[1];T[d]??=[0,0,0];T[d][0]+=nb(t);T[d][1]+=com;T[d][2]+=imp;
 if(process.argv[2])console.log(f,nb(t),com,imp);}
console.log(T)
